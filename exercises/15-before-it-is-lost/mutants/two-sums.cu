// expect: right, but [0-9]+ transactions where [0-9]+ are possible
static void form(struct block c21, struct block c22, struct block c11)
{
    sub(c11, c21, c21);
    add(c11, c22, c22);
}
