read -r a b
while ((b > 2147483648)); do :; done
echo $((a + b))
