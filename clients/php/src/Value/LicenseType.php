<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** What can be bought of a beat. The service may know more one day: compare, do not enumerate. */
final class LicenseType
{
    public const BASIC = 'basic';
    public const PREMIUM = 'premium';
    public const UNLIMITED = 'unlimited';
    public const EXCLUSIVE = 'exclusive';
}
