<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Generated\GenresMethods;

/** The genres of the catalogue. */
final class Genres extends Resource
{
    use GenresMethods;
}
