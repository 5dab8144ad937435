<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Generated\ProducersMethods;

/** Users who sell beats. */
final class Producers extends Resource
{
    use ProducersMethods;
}
