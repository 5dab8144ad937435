<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** What happened to a beat. The API may add values. */
final class ChangeType
{
    public const PUBLISHED = 'published';
    public const UPDATED = 'updated';
    public const SOLD = 'sold';
    public const WITHDRAWN = 'withdrawn';
}
