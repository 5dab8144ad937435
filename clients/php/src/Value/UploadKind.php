<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** What an upload is. */
final class UploadKind
{
    public const AUDIO = 'audio';
    public const STEMS = 'stems';
    public const COVER = 'cover';
}
