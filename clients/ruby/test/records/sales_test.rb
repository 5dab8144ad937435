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

  def test_a_month_goes_to_a_file_and_begins_anew_where_the_connection_breaks
    csv = "order_id,amount\r\n2,59.99\r\n"
    api = api do |_, count|
      lambda do |socket|
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n#{csv[0, 9]}\r\n")
        count == 1 ? socket.close : socket.write("#{(csv.size - 9).to_s(16)}\r\n#{csv[9..]}\r\n0\r\n\r\n")
      end
    end
    Dir.mktmpdir do |folder|
      export = patient_client(api).first.sales.export("2026-11", "#{folder}/sales.csv")
      assert_equal ["#{folder}/sales.csv", 200, csv], [export.path, export.response.status, File.binread(export.path)]
    end
    assert_equal [["/v1/users/me/sales.csv?month=2026-11", nil]] * 2, api.requests.map { |request| [request.target, request.headers["range"]] }
  end
end
