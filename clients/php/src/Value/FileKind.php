<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** What a file of an order is. */
final class FileKind
{
    public const MP3 = 'mp3';
    public const WAV = 'wav';
    public const STEMS = 'stems';
    public const LICENSE = 'license';
}
