<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Generated\LicensesMethods;

/** What a license allows. */
final class Licenses extends Resource
{
    use LicensesMethods;
}
