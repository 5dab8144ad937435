# frozen_string_literal: true

require_relative "../test_helper"
require "tmpdir"

# Sales are listed page by page, and a month of them goes to a file.
class SalesTest < ClientTest
  def test_sales_are_iterated_with_their_filters
    api = api do |_, count|
      following = count == 1 ? "#{@apis.first.base_url}/users/me/sales?page=2" : nil
      FakeApi.reply({ sales: [{ id: count, buyer: { name: "Maya" } }], pagination: { next_page_url: following } })
    end
    sales = client(api).sales.list(limit: 1, from: Time.new(2026, 11, 1, 2, 0, 0, "+02:00"), to: "2026-12-01", beat: 502)
    assert_equal [[1, "Maya"], [2, "Maya"]], sales.map { |sale| [sale.id, sale.buyer.name] }
    query = "limit=1&from=2026-11-01T00%3A00%3A00.000Z&to=2026-12-01&beat=502"
    assert_equal ["/v1/users/me/sales?#{query}", "/v1/users/me/sales?page=2"], api.requests.map(&:target)
  end

  def test_the_export_of_a_month_starts_again_after_a_lost_connection
    csv = "order_id,amount\r\n2,59.99\r\n"
    api = api do |_, count|
      lambda do |socket|
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n#{csv[0, 9]}\r\n")
        count == 1 ? socket.close : socket.write("#{(csv.size - 9).to_s(16)}\r\n#{csv[9..]}\r\n0\r\n\r\n")
      end
    end
    Dir.mktmpdir do |folder|
      File.write("#{folder}/sales.csv", "#{csv}a longer one of yesterday")
      export = patient_client(api).first.sales.export("2026-11", "#{folder}/sales.csv")
      assert_equal ["#{folder}/sales.csv", 200, csv], [export.path, export.response.status, File.binread(export.path)]
    end
    assert_equal [["/v1/users/me/sales.csv?month=2026-11", nil]] * 2, api.requests.map { |request| [request.target, request.headers["range"]] }
  end

  def test_a_refused_call_does_not_change_the_file
    api = api { FakeApi.error(401, "unauthorized") }
    Dir.mktmpdir do |folder|
      path = "#{folder}/sales.csv"
      File.write(path, "yesterday")
      assert_raises(BeatMarket::AuthenticationError) { client(api).sales.export("2026-11", path) }
      assert_raises(BeatMarket::AuthenticationError) { client(api).exports.beats(path) }
      assert_equal "yesterday", File.read(path)
    end
  end

  def test_an_unwritable_file_raises_beat_market_error_without_a_retry
    api = api { |_, _| ->(socket) { socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Change-Position: 1\r\n\r\n12345") } }
    ["/nowhere/file", "/", nil, 1].each do |path|
      error = assert_raises(BeatMarket::BeatMarketError) { client(api).sales.export("2026-11", path) }
      assert_match(/cannot be written/, error.message)
    end
    assert_empty api.requests
    error = assert_raises(BeatMarket::BeatMarketError) { patient_client(api).first.exports.beats("/dev/full") }
    assert_match(%r{\AThe file /dev/full cannot be written: No space left on device}, error.message)
    assert_equal 1, api.requests.size
  end
end
