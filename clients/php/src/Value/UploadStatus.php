<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Arguments take cases and texts. Responses have texts, since the API may add values: compare them
 * with the constants, or make a case of one with tryFrom().
 */
enum UploadStatus: string
{
    case Receiving = 'receiving';
    case Analysing = 'analysing';
    case Ready = 'ready';
    case Rejected = 'rejected';

    public const RECEIVING = 'receiving';
    public const ANALYSING = 'analysing';
    public const READY = 'ready';
    public const REJECTED = 'rejected';
}
