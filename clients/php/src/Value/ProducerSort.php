<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** Sort orders of producers. The API may add values. */
final class ProducerSort
{
    public const POPULAR = 'popular';
    public const NEWEST = 'newest';
    public const NAME = 'name';
}
