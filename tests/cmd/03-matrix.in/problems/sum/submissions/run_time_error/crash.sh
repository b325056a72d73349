read -r a b
if ((a == 7)); then exit 3; fi
echo $((a + b))
