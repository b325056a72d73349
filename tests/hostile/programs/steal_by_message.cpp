// an answer file in an error message
#include "../../data/secret.ans"
#include "../../../data/secret.ans"
#include "/data/secret.ans"
int main() {}
