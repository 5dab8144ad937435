<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Responses contain strings, because the API may add values later: compare them with the constants
 * (`LicenseClause::FILES`), or convert one with `LicenseClause::tryFrom($string)`.
 */
enum LicenseClause: string
{
    case Files = 'files';
    case Song = 'song';
    case Copies = 'copies';
    case Streams = 'streams';
    case Videos = 'videos';
    case RadioStations = 'radio_stations';
    case PaidPerformances = 'paid_performances';
    case Years = 'years';
    case Territory = 'territory';
    case Credit = 'credit';
    case Publishing = 'publishing';
    case Exclusive = 'exclusive';
    case Authorship = 'authorship';
    case Resale = 'resale';
    case Sublicense = 'sublicense';
    case ContentId = 'content_id';
    case Training = 'training';
    case BeyondLimits = 'beyond_limits';
    case UpgradePrice = 'upgrade_price';
    case Refund = 'refund';
    case Breach = 'breach';

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
