<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** States of an upload: receiving changes to analysing, and that to ready or rejected. The API may add values. */
final class UploadStatus
{
    public const RECEIVING = 'receiving';
    public const ANALYSING = 'analysing';
    public const READY = 'ready';
    public const REJECTED = 'rejected';
}
