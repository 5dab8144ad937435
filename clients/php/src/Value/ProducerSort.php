<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** Orders of the list of producers. The service may know more one day: compare, do not enumerate. */
final class ProducerSort
{
    public const POPULAR = 'popular';
    public const NEWEST = 'newest';
    public const NAME = 'name';
}
