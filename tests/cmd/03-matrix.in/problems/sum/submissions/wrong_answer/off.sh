read -r a b
if ((a > b)); then a=$((a + 1)); fi
echo $((a + b))
