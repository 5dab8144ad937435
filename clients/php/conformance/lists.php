<?php

declare(strict_types=1);

// Actions that iterate over lists, feeds and exports.

namespace BeatMarket\Conformance;

use BeatMarket\Client;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Model;

/**
 * @param array<string, mixed> $args
 *
 * @return array<string, mixed>
 */
function iterate(Client $client, array $args): array
{
    $items = [];
    $errors = [];
    $iterator = null;
    while (count($errors) < 3) {
        try {
            $limits = isset($args['max_items']) ? ['max_items' => $args['max_items']] : [];
            $iterator ??= new \NoRewindIterator(call($client, $args['operation'], $args['arguments'] + $limits)->getIterator());
            foreach ($iterator as $item) {
                $items[] = id($item);
            }
            break;
        } catch (BeatMarketException $error) {
            $errors[] = error($error);
            if (!($args['resume'] ?? false) || $iterator === null) {
                break;
            }
        }
    }

    return ['items' => $items, 'errors' => $errors];
}

/** An item of a list in the results: its id, or the item itself. */
function id(mixed $item): mixed
{
    return $item instanceof Model ? $item->id : $item;
}

/**
 * @param array<string, mixed> $args
 *
 * @return array<string, mixed>
 */
function pages(Client $client, array $args): array
{
    $pages = [];
    try {
        $page = call($client, $args['operation'], $args['arguments']);
        while (true) {
            $pages[] = array_map(id(...), $page->data);
            if (count($pages) === $args['pages']) {
                return ['pages' => $pages, 'has_next' => true];
            }
            $page = $page->nextPage();
            if ($page === null) {
                return ['pages' => $pages, 'has_next' => false];
            }
        }
    } catch (BeatMarketException $error) {
        return ['pages' => $pages, 'has_next' => true, 'error' => error($error)];
    }
}

/**
 * @param array<string, mixed> $args
 *
 * @return array<string, mixed>
 */
function follow(Client $client, array $args): array
{
    $named = [];
    foreach ($args['arguments'] as $name => $argument) {
        $named[camelCase($name)] = $argument;
    }
    $isChanges = $args['operation'] === 'listChanges';
    $pages = [];
    try {
        foreach ($isChanges ? $client->changes->follow(...$named) : $client->events->follow(...$named) as $page) {
            $items = $isChanges
                ? ['positions' => array_column($page->changes, 'position')]
                : ['ids' => array_column($page->events, 'id')];
            $pages[] = $items + ['next' => $page->next];
            if (count($pages) === $args['pages']) {
                break;
            }
        }
    } catch (BeatMarketException $error) {
        return ['pages' => $pages, 'errors' => [error($error)]];
    }

    return ['pages' => $pages, 'errors' => []];
}

/**
 * @param array<string, mixed> $args
 *
 * @return array<string, mixed>
 */
function streamEvents(Client $client, array $args): array
{
    $ids = $errors = [];
    $events = $client->events->stream(...$args['arguments']);
    try {
        foreach ($events as $event) {
            $ids[] = $event->id;
            if (count($ids) === $args['events']) {
                break;
            }
        }
    } catch (BeatMarketException $error) {
        $errors[] = error($error);
    }

    return ['ids' => $ids, 'position' => $events->position, 'errors' => $errors];
}

/** @return array<string, mixed> */
function streamExport(Client $client): array
{
    $ids = [];
    $position = null;
    try {
        $export = $client->exports->beats();
        $position = $export->position;
        foreach ($export as $beat) {
            $ids[] = $beat->id;
        }
    } catch (BeatMarketException $error) {
        return ['ids' => $ids, 'position' => $position, 'error' => error($error)];
    }

    return ['ids' => $ids, 'position' => $position];
}
