<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Generated\QuotesMethods;

/** What purchases would cost, with discounts. */
final class Quotes extends Resource
{
    use QuotesMethods;
}
