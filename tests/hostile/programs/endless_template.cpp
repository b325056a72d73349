// templates that double
template <int N, int M> struct Twice {
    enum { value = Twice<N - 1, 2 * M>::value + Twice<N - 1, 2 * M + 1>::value };
};
template <int M> struct Twice<0, M> {
    enum { value = M };
};
int main() { return Twice<40, 1>::value; }
