<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Absent;
use BeatMarket\Collection;
use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Model\CreatedSandbox;
use BeatMarket\Model\Sandbox;
use BeatMarket\Model\SandboxAdvance;
use BeatMarket\Value\SandboxCatalogue;

/** Services of your own whose time you set. */
final class Sandboxes
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Creates a sandbox: a copy of the service with its own data, whose clock stands still until you advance it. A
     * repeated request with the same `Idempotency-Key` creates one sandbox.
     *
     * Needs a test key.
     *
     * @param string|null                  $seed           The seed of the sandbox. The same seed generates the same
     *                                                     ids, beats and buyers. Default: a random seed.
     * @param string|null                  $webhookUrl     The address that gets all events of the sandbox.
     * @param SandboxCatalogue|string|null $catalogue      `demo`: 500 invented beats. `empty`: no beats, only the
     *                                                     genres. Default: demo. One of Value\SandboxCatalogue.
     * @param string|null                  $idempotencyKey 1 to 255 visible ASCII characters: calls with the same key
     *                                                     within 24 hours are carried out once. Default: a random key,
     *                                                     shared by the attempts of this call.
     *
     * @throws BeatMarketException
     */
    public function create(
        ?string $seed = null,
        ?string $webhookUrl = null,
        SandboxCatalogue|string|null $catalogue = null,
        ?string $idempotencyKey = null,
    ): CreatedSandbox {
        return $this->connection->object(
            new Call(
                Operation::CreateSandbox,
                body: [
                    'seed' => $seed ?? Absent::Field,
                    'webhook_url' => $webhookUrl ?? Absent::Field,
                    'catalogue' => $catalogue ?? Absent::Field,
                ],
                idempotencyKey: $idempotencyKey,
            ),
            CreatedSandbox::class,
            'sandbox',
        );
    }

    /**
     * Returns the sandboxes of the account, the oldest first.
     *
     * Needs a test key.
     *
     * @return Collection<Sandbox>
     *
     * @throws BeatMarketException
     */
    public function list(): Collection
    {
        return $this->connection->collection(new Call(Operation::ListSandboxes), Sandbox::class, 'sandboxes');
    }

    /**
     * Returns a sandbox with its present time.
     *
     * Needs a test key.
     *
     * @param string $sandboxId Identifier of the sandbox.
     *
     * @throws BeatMarketException
     */
    public function get(string $sandboxId): Sandbox
    {
        return $this->connection->object(
            new Call(Operation::GetSandbox, ids: ['sandbox_id' => $sandboxId]),
            Sandbox::class,
            'sandbox',
        );
    }

    /**
     * Deletes the sandbox with its database, files and keys at once, and returns it as it was.
     *
     * Needs a test key.
     *
     * @param string $sandboxId Identifier of the sandbox.
     *
     * @throws BeatMarketException
     */
    public function delete(string $sandboxId): Sandbox
    {
        return $this->connection->object(
            new Call(Operation::DeleteSandbox, ids: ['sandbox_id' => $sandboxId]),
            Sandbox::class,
            'sandbox',
        );
    }

    /**
     * Advances the clock, and executes all that happens until then in the order of time. A request works for up to 10
     * seconds; pass `remaining` as `by` of the next one.
     *
     * Needs a test key.
     *
     * @param string                          $sandboxId    Identifier of the sandbox.
     * @param string                          $by           The duration to advance by, at most 3,650 days, such as
     *                                                      `P90D`.
     * @param int|null                        $ordersPerDay How many orders the simulated buyers place in each day, at
     *                                                      random times. Default: 0.
     * @param list<array<string, mixed>>|null $faults       The faults that happen in that time.
     *
     * @throws BeatMarketException
     */
    public function advance(
        string $sandboxId,
        string $by,
        ?int $ordersPerDay = null,
        ?array $faults = null,
    ): SandboxAdvance {
        return $this->connection->object(
            new Call(
                Operation::AdvanceSandbox,
                ids: ['sandbox_id' => $sandboxId],
                body: [
                    'by' => $by,
                    'orders_per_day' => $ordersPerDay ?? Absent::Field,
                    'faults' => $faults ?? Absent::Field,
                ],
            ),
            SandboxAdvance::class,
            'advance',
        );
    }

    /**
     * Creates another sandbox with the same time and data, and a key of its own. A repeated request with the same
     * `Idempotency-Key` creates one copy.
     *
     * Needs a test key.
     *
     * @param string      $sandboxId      Identifier of the sandbox.
     * @param string|null $idempotencyKey 1 to 255 visible ASCII characters: calls with the same key within 24 hours are
     *                                    carried out once. Default: a random key, shared by the attempts of this call.
     *
     * @throws BeatMarketException
     */
    public function fork(string $sandboxId, ?string $idempotencyKey = null): CreatedSandbox
    {
        return $this->connection->object(
            new Call(Operation::ForkSandbox, ids: ['sandbox_id' => $sandboxId], idempotencyKey: $idempotencyKey),
            CreatedSandbox::class,
            'sandbox',
        );
    }
}
