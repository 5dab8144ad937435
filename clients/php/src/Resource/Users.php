<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Generated\UsersMethods;

/** Public profiles, and your own. */
final class Users extends Resource
{
    use UsersMethods;
}
