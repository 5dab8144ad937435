<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** States of a beat of your own. The API may add values. */
final class BeatStatus
{
    public const DRAFT = 'draft';
    public const PROCESSING = 'processing';
    public const PUBLISHED = 'published';
    public const WITHDRAWN = 'withdrawn';
}
