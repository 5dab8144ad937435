<?php

// Keeps a mirror of the catalogue in SQLite: `php mirror.php beats.db`. It may be stopped at any moment and started again.
// --once ends it when no change is waiting. --pause=90 waits 90 seconds between calls once it is up to date, for a plan
// with few calls a day.

declare(strict_types=1);

use BeatMarket\Client;
use BeatMarket\Exception\GoneException;
use BeatMarket\Model\BeatDetail;
use BeatMarket\Value\ChangeType;

require 'vendor/autoload.php';

$options = getopt('', ['once', 'pause:'], $rest);
$file = $argv[$rest] ?? 'beats.db';
$once = isset($options['once']);
$pause = (int) ($options['pause'] ?? 0);
$client = new Client();
$db = new PDO("sqlite:{$file}");
$db->exec('pragma journal_mode = wal');
$db->exec('create table if not exists beats (id integer primary key, beat text not null)');
$db->exec('create table if not exists mirror (position integer not null)');
$insert = $db->prepare('insert into beats values (?, ?) on conflict (id) do update set beat = excluded.beat');
$remove = $db->prepare('delete from beats where id = ?');
$upsert = fn (BeatDetail $beat) => $insert->execute([$beat->id, json_encode($beat, JSON_THROW_ON_ERROR)]);

// Rows and position change together, so a mirror that is stopped continues from where its rows are.
$inTransaction = function (int $position, Closure $change) use ($db): void {
    $db->beginTransaction();
    $change();
    $db->exec('delete from mirror');
    $db->prepare('insert into mirror values (?)')->execute([$position]);
    $db->commit();
};

$loadExport = function () use ($client, $db, $file, $inTransaction, $upsert): int {
    $beats = $client->exports->beats("{$file}.ndjson.gz");
    $inTransaction($beats->position, function () use ($db, $beats, $upsert): void {
        $db->exec('delete from beats');
        foreach ($beats as $beat) {
            $upsert($beat);
        }
    });

    return $beats->position;
};

$position = $db->query('select position from mirror')->fetchColumn();
do {
    $isGone = false;
    try {
        $position = $position === false ? $loadExport() : (int) $position;
        foreach ($client->changes->follow(after: $position, wait: $once ? 0 : 30) as $page) {
            $inTransaction($page->next, function () use ($page, $remove, $upsert): void {
                foreach ($page->changes as $change) {
                    $isOff = in_array($change->type, [ChangeType::SOLD, ChangeType::WITHDRAWN], true);
                    $change->beat === null || $isOff ? $remove->execute([$change->beatId]) : $upsert($change->beat);
                }
            });
            if ($once && $page->changes === []) {
                break;
            }
            if (count($page->changes) < 1000) {
                sleep($pause);
            }
        }
    } catch (GoneException) {
        $position = false; // Away for more than 30 days: take a new export.
        $isGone = true;
    }
} while ($isGone);
echo $db->query('select count(*) from beats')->fetchColumn(), " beats\n";
