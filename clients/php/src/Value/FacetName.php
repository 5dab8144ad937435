<?php

declare(strict_types=1);

namespace BeatMarket\Value;

/** What beats are counted by. The API may add values. */
final class FacetName
{
    public const GENRE = 'genre';
    public const KEY = 'key';
    public const BPM = 'bpm';
    public const PRICE = 'price';
    public const TAG = 'tag';
}
