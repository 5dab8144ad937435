<?php

// Finds three beats that mix with one: `php mixing.php 17`. Exits with 1 if there is no such beat.

declare(strict_types=1);

use BeatMarket\Client;
use BeatMarket\Exception\BeatMarketException;

require 'vendor/autoload.php';

if (!ctype_digit($argv[1] ?? '')) {
    fwrite(STDERR, "Usage: php mixing.php <id of a beat>\n");
    exit(2);
}
try {
    $client = new Client();
    $playing = $client->beats->get($argv[1]);
    echo "playing: {$playing->id} {$playing->bpm} bpm {$playing->key}\n";
    $mixing = $client->beats->list(
        keyCompatible: $playing->key === '' ? null : $playing->key, // If the key of the playing beat is unknown, the filter is off.
        bpm: $playing->bpm,
        bpmTolerance: 4, // Percent: listeners do not notice such a change of tempo.
        halfDouble: true,
        sort: 'popular',
        maxItems: 4,
    );
    $others = array_filter(iterator_to_array($mixing), fn ($beat) => $beat->id !== $playing->id);
} catch (BeatMarketException $error) {
    fwrite(STDERR, "{$error->getMessage()}\n");
    exit(1);
}
foreach (array_slice($others, 0, 3) as $beat) {
    echo "{$beat->id} {$beat->bpm} bpm {$beat->key} {$beat->title}\n";
}
