<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Generated\FavoritesMethods;

/** Beats that the key's account keeps. */
final class Favorites extends Resource
{
    use FavoritesMethods;
}
