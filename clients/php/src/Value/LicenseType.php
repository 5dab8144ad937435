<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** Types of licenses. The API may add values. */
final class LicenseType
{
    public const BASIC = 'basic';
    public const PREMIUM = 'premium';
    public const UNLIMITED = 'unlimited';
    public const EXCLUSIVE = 'exclusive';
}
