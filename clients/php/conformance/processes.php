<?php

declare(strict_types=1);

// Actions of several processes.

namespace BeatMarket\Conformance;

use BeatMarket\Client;
use BeatMarket\Exception\BeatMarketException;

/**
 * @param array<string, mixed> $args
 *
 * @return array<string, mixed>
 */
function fork(Client $client, array $args): array
{
    $id = calling($client, $args['operation']);
    $id($args['arguments'][0]);
    $calls = array_map(static fn (array $arguments): array => array_fill(0, $args['calls'], $arguments), $args['arguments']);

    return ['values' => inChildren($id, $calls), 'parent' => $id($args['arguments'][0])];
}

/**
 * Forks a process per worker after the client's first call.
 *
 * @param array<string, mixed> $args
 *
 * @return list<list<mixed>>
 */
function parallel(Client $client, array $args): array
{
    $id = calling($client, $args['operation']);
    $id($args['calls'][0][0]);

    return inChildren($id, $args['calls']);
}

/** @return \Closure(array<string, mixed>): mixed the id of what a call returns, or its error */
function calling(Client $client, string $operation): \Closure
{
    return static function (array $arguments) use ($client, $operation): mixed {
        try {
            return call($client, $operation, $arguments)->id;
        } catch (BeatMarketException $error) {
            return ['error' => error($error)];
        }
    };
}

/**
 * The ids that the calls of each child return. All children run at the same time.
 *
 * @param list<list<array<string, mixed>>> $all
 *
 * @return list<list<mixed>>
 */
function inChildren(\Closure $id, array $all): array
{
    $children = [];
    foreach ($all as $calls) {
        $pipe = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, STREAM_IPPROTO_IP);
        $processId = $pipe === false ? -1 : pcntl_fork();
        if ($pipe === false || $processId === -1) {
            throw new Unsupported('processes');
        }
        if ($processId === 0) {
            fwrite($pipe[1], json_encode(array_map($id, $calls), JSON_THROW_ON_ERROR));
            exit(0);
        }
        fclose($pipe[1]);
        $children[$processId] = $pipe[0];
    }
    $values = [];
    foreach ($children as $processId => $pipe) {
        $values[] = json_decode((string) stream_get_contents($pipe), true);
        pcntl_waitpid($processId, $status);
    }

    return $values;
}
