<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values. You may pass an enum case or a string. */
enum SearchSort: string
{
    case Relevance = 'relevance';
    case Newest = 'newest';
    case Popular = 'popular';
    case PriceAsc = 'price_asc';
    case PriceDesc = 'price_desc';
    case BpmAsc = 'bpm_asc';
    case BpmDesc = 'bpm_desc';

    public const RELEVANCE = 'relevance';
    public const NEWEST = 'newest';
    public const POPULAR = 'popular';
    public const PRICE_ASC = 'price_asc';
    public const PRICE_DESC = 'price_desc';
    public const BPM_ASC = 'bpm_asc';
    public const BPM_DESC = 'bpm_desc';
}
