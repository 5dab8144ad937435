<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** Relations of two musical keys on the circle of fifths. The API may add values. */
final class KeyRelation
{
    public const SAME = 'same';
    public const RELATIVE = 'relative';
    public const ADJACENT = 'adjacent';
    public const OTHER = 'other';
}
