int main()
{
    int *volatile nowhere = nullptr;
    return *nowhere;
}
