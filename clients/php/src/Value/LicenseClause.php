<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values; the API may add others. */
final class LicenseClause
{
    public const FILES = 'files';
    public const SONG = 'song';
    public const COPIES = 'copies';
    public const STREAMS = 'streams';
    public const VIDEOS = 'videos';
    public const RADIO_STATIONS = 'radio_stations';
    public const PAID_PERFORMANCES = 'paid_performances';
    public const YEARS = 'years';
    public const TERRITORY = 'territory';
    public const CREDIT = 'credit';
    public const PUBLISHING = 'publishing';
    public const EXCLUSIVE = 'exclusive';
    public const AUTHORSHIP = 'authorship';
    public const RESALE = 'resale';
    public const SUBLICENSE = 'sublicense';
    public const CONTENT_ID = 'content_id';
    public const TRAINING = 'training';
    public const BEYOND_LIMITS = 'beyond_limits';
    public const UPGRADE_PRICE = 'upgrade_price';
    public const REFUND = 'refund';
    public const BREACH = 'breach';
}
