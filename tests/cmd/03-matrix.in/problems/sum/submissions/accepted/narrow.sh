# Adds like an unsigned int of 32 bits.
read -r a b
echo $(((a + b) & 0xffffffff))
