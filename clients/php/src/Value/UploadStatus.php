<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/** The known values; the API may add others. */
final class UploadStatus
{
    public const RECEIVING = 'receiving';
    public const ANALYSING = 'analysing';
    public const READY = 'ready';
    public const REJECTED = 'rejected';
}
