# frozen_string_literal: true

require "timeout"

module BeatMarket
  # Limits the run time of a block, whatever it waits for: DNS, a connection, a header or the next byte of a body.
  #
  # Timeout.timeout starts (or, since Ruby 3.2, wakes) a thread for every call, which costs more than the rest of this
  # library. The single thread here wakes about once in the time of one limit, however many calls there are.
  #
  # @api private
  class TimeLimit
    # Raised in the thread whose limit has expired. Not a StandardError, so that no code on the way rescues it.
    class Expired < Exception; end
    # Made once: a literal is a new Hash for every call.
    DEFERRED = { Expired => :never }.freeze
    DELIVERED = { Expired => :immediate }.freeze
    private_constant :Expired, :DEFERRED, :DELIVERED

    Watch = Struct.new(:thread, :deadline)
    private_constant :Watch

    def initialize
      @watches = {}.compare_by_identity
      @lock = Mutex.new
      @earlier = ConditionVariable.new
    end

    # @param seconds [Numeric]
    # @return what the block returns
    # @raise [Timeout::Error] if the block takes longer
    def within(seconds, &block)
      return Timeout.timeout(seconds, &block) if Fiber.current_scheduler # fibers share the thread

      Thread.handle_interrupt(DEFERRED) do
        watch = add(Watch.new(Thread.current, now + seconds))
        begin
          Thread.handle_interrupt(DELIVERED, &block)
        ensure
          @lock.synchronize { @watches.delete(watch) }
        end
      end
    rescue Expired
      raise Timeout::Error, "execution expired"
    end

    private

    def add(watch)
      @lock.synchronize do
        @watches[watch] = true
        start unless @thread&.alive? # also after a fork, which only the forking thread survives
        @earlier.signal if watch.deadline < @wakes_at
      end
      watch
    end

    def start
      @wakes_at = Float::INFINITY
      @thread = Thread.new { @lock.synchronize { loop { expire } } }
      @thread.name = "beatmarket time limit"
    end

    def expire
      overdue, waiting = @watches.keys.partition { |watch| watch.deadline <= now }
      overdue.each do |watch|
        @watches.delete(watch)
        watch.thread.raise(Expired)
      end
      @wakes_at = waiting.map(&:deadline).min || Float::INFINITY
      @earlier.wait(@lock, waiting.empty? ? nil : [@wakes_at - now, 0].max)
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end
