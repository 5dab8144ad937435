<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Generated\CheckoutsMethods;

/** Payments of one or more licenses, on a page of their own. */
final class Checkouts extends Resource
{
    use CheckoutsMethods;
}
