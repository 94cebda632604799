// expect: right, but [0-9]+ transactions where [0-9]+ are possible
static void inc_inc(struct block x, struct block y, struct block z)
{
    add(x, z, x);
    add(y, z, y);
}
