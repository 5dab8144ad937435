<?php

declare(strict_types=1);

namespace BeatMarket\Conformance;

use BeatMarket\Client;
use BeatMarket\Generated\Operation;
use BeatMarket\Model;
use BeatMarket\Model\Event;
use BeatMarket\Value\ErrorCode;

/**
 * @param list<string> $names of models
 *
 * @return array<string, mixed> a description of the client, by reflection
 */
function describe(array $names): array
{
    $operations = [];
    foreach (Operation::cases() as $operation) {
        [$method, $path] = explode(' ', $operation->value);
        $operations[$operation->id()] = ['method' => $method, 'path' => $path] + parameters($operation->id(), $method, $path);
    }
    $models = [];
    foreach ($names as $name) {
        $model = "BeatMarket\\Model\\{$name}";
        if (is_subclass_of($model, Model::class)) {
            $models[$name] = leaves($model);
        }
    }
    $short = static fn (string $class): string => (new \ReflectionClass($class))->getShortName();

    return [
        'language' => 'php',
        'version' => Client::VERSION,
        'operations' => $operations,
        'models' => $models,
        'events' => array_map($short, Event::MODELS),
        'errors' => array_map(
            static fn (string $class): string => str_replace('Exception', 'Error', $short($class)),
            ErrorCode::EXCEPTIONS,
        ),
    ];
}

/** @return array{parameters: list<string>, body: list<string>} the parameters of the public method, in wire names */
function parameters(string $operation, string $method, string $path): array
{
    [$resource, $name] = METHODS[$operation];
    $client = new \ReflectionClass(Client::class);
    $class = $resource === null ? $client->getName() : (string) $client->getProperty($resource)->getType();
    $taken = ['parameters' => [], 'body' => []];
    foreach ((new \ReflectionMethod($class, $name))->getParameters() as $parameter) {
        $wireName = wireName($parameter->getName());
        if ($wireName !== 'max_items') {
            $isInBody = $method !== 'GET'
                && !in_array($wireName, ['idempotency_key', 'if_match'], true)
                && !str_contains($path, "{{$wireName}}");
            $taken[$isInBody ? 'body' : 'parameters'][] = $wireName;
        }
    }

    return $taken;
}

/**
 * @param class-string<Model> $model
 *
 * @return list<string> the dotted paths of its scalar fields
 */
function leaves(string $model): array
{
    $paths = [];
    foreach ($model::FIELDS as $property => [0 => $name]) {
        $readers = array_slice($model::FIELDS[$property], 1);
        $class = is_array($readers[0] ?? null) ? $readers[0][0] : $readers[0] ?? null;
        foreach (is_subclass_of((string) $class, Model::class) ? leaves($class) : [null] as $leaf) {
            $paths[] = $leaf === null ? $name : "{$name}.{$leaf}";
        }
    }

    return $paths;
}

function wireName(string $name): string
{
    return strtolower(preg_replace('/(?<!^)[A-Z]/', '_$0', $name) ?? '');
}
