"""What things cost."""

VAT = 0.19


def gross(net: float) -> float:
    """The price with value-added tax."""
    return net * (1 + VAT)


def receipt(prices: list[float]) -> str:
    """All prices in words, then their sum."""
    return " + ".join(f"{gross(price):.2f}" for price in prices)
