module beatmarket.example/beatmarket

go 1.24
