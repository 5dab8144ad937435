<?php

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Generated\PlaylistsMethods;

/** Lists of beats: your own, and public ones. */
final class Playlists extends Resource
{
    use PlaylistsMethods;
}
