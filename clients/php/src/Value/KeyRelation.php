<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** How the keys of two beats stand on the circle of fifths. The service may know more one day: compare, do not enumerate. */
final class KeyRelation
{
    public const SAME = 'same';
    public const RELATIVE = 'relative';
    public const ADJACENT = 'adjacent';
    public const OTHER = 'other';
}
