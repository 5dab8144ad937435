<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Generated\RequestsMethods;

/** The request log of the key's account. */
final class Requests extends Resource
{
    use RequestsMethods;
}
