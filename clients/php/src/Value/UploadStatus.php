<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. Responses contain strings, because the API may add values later: compare them with the constants
 * (`UploadStatus::RECEIVING`), or convert one with `UploadStatus::tryFrom($string)`.
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
