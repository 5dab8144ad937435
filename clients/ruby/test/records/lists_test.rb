# frozen_string_literal: true

require_relative "../test_helper"

class ListsTest < ClientTest
  # Five pages of two beats; +replies+ overrides the response of the n-th request.
  def five_pages(replies = {})
    api do |request, count|
      number = request.target[/page=(\d+)/, 1].to_i.clamp(1, 5)
      following = "http://127.0.0.1:#{@apis.first.port}/v1/beats?limit=2&genre=3&page=#{number + 1}" if number < 5
      replies[count] || FakeApi.page([number * 2 - 1, number * 2], number, 5, following)
    end
  end

  def test_an_iteration_visits_all_pages_in_order_and_keeps_the_filters
    api = five_pages
    assert_equal (1..10).to_a, client(api).beats.list(limit: 2, genre: 3).map(&:id)
    assert_equal ["/v1/beats?limit=2&genre=3", *(2..5).map { |page| "/v1/beats?limit=2&genre=3&page=#{page}" }],
                 api.requests.map(&:target)
  end

  def test_max_items_limits_records_and_requests
    { 5 => 3, 4 => 2, 1 => 1, 0 => 0, 100 => 5 }.each do |max_items, requests|
      api = five_pages
      assert_equal (1..10).first(max_items), client(api).beats.list(limit: 2, max_items: max_items).map(&:id)
      assert_equal requests, api.requests.size
      teardown
      @apis = nil
    end
  end

  def test_the_data_of_a_list_has_at_most_max_items
    list = client(five_pages).beats.list(limit: 2, max_items: 1)
    assert_equal [[1], 99, [1], nil], [list.data.map(&:id), list.total, list.first_page.map(&:id), list.first_page.next_page]
    found = client(api { FakeApi.reply({ beats: [{ id: 1 }, { id: 2 }], producers: [{ id: 3 }], pagination: {}, totals: {} }) })
    { 1 => [[1], []], 3 => [[1, 2], [3]], 0 => [[], []] }.each do |max_items, expected|
      list = found.search("x", max_items: max_items)
      assert_equal [expected, expected.flatten], [[list.beats.map(&:id), list.producers.map(&:id)], list.data.map(&:id)]
    end
  end

  def test_a_page_leads_to_the_next_until_there_is_none
    page = client(five_pages).beats.list(limit: 2).first_page
    ids = []
    while page
      ids << page.map(&:id)
      page = page.next_page
    end
    assert_equal (1..10).each_slice(2).to_a, ids
  end

  def test_a_page_leads_to_no_more_than_max_items
    assert_equal [3], client(five_pages).beats.list(limit: 2, max_items: 3).first_page.next_page.map(&:id)
  end

  def test_items_and_page_numbers_of_another_type_are_unchanged
    pagination = { total: "99", per_page: nil, current_page: 1.5, last_page: [], next_page_url: nil }
    api = api { FakeApi.reply({ beats: [nil, 1, "x", [], { id: nil, genre: 3 }], missing: 4, facets: "none", pagination: pagination }) }
    list = client(api).beats.list
    assert_equal [[nil, 1, "x", []], nil, 3], [list.to_a.first(4), list.data.last.id, list.data.last.genre]
    assert_equal ["99", nil, 1.5, [], 4, "none"],
                 [list.total, list.pagination.per_page, list.pagination.current_page, list.pagination.last_page, list.missing, list.facets]
    odd = api { FakeApi.reply({ beats: [], pagination: { next_page_url: 5 } }) }
    assert_raises(BeatMarket::APIStatusError) { client(odd).beats.list.to_a }
  end

  def test_an_invalid_max_items_is_refused
    [-1, 2.5, "3"].each do |cap|
      assert_raises(BeatMarket::BeatMarketError) { client(five_pages).beats.list(max_items: cap) }
    end
  end

  def test_only_needed_pages_are_fetched
    api = five_pages
    list = client(api).beats.list(limit: 2)
    assert_empty api.requests
    assert_equal [1, 2, 3], list.lazy.map(&:id).first(3)
    assert_equal 2, api.requests.size
  end

  def test_the_first_page_is_fetched_once
    api = five_pages
    list = client(api).beats.list(limit: 2)
    assert_equal [99, [1, 2], 5, 200], [list.total, list.data.map(&:id), list.pagination.last_page, list.response.status]
    assert_equal 1, list.first.id
    assert_equal 1, api.requests.size
    assert_equal 10, list.count
    assert_equal 5, api.requests.size
  end

  def test_each_page_iterates_over_pages
    api = five_pages
    seen = []
    client(api).beats.list(limit: 2, max_items: 3).each_page(&->(page) { seen << page.map(&:id) })
    assert_equal [[1, 2], [3]], seen
    assert_equal 5, client(api).beats.list.each_page.count
  end

  def test_an_empty_list_ends_but_an_empty_page_does_not_end_a_list
    empty = api { FakeApi.page([], 1, 1, nil) }
    assert_empty client(empty).beats.list.to_a
    gap = nil
    gap = api do |_, count|
      FakeApi.page(count == 2 ? [] : [count], count, 3, ("#{gap.base_url}/beats?page=#{count + 1}" if count < 3))
    end
    assert_equal [1, 3], client(gap).beats.list.map(&:id)
  end

  def test_a_next_page_without_the_origin_of_the_base_url_raises_without_a_request
    foreign = api { FakeApi.page([9], 1, 1, nil) }
    ["#{foreign.base_url}/beats", "https://127.0.0.1/v1/beats", "//evil.example/x", "not a url", "/v1/beats?page=2"].each do |address|
      api = api { FakeApi.page([1], 1, 2, address) }
      visited = []
      error = assert_raises(BeatMarket::APIStatusError) { client(api).beats.list.each { |beat| visited << beat.id } }
      assert_equal [200, [1], 1], [error.status, visited, api.requests.size]
    end
    assert_empty foreign.requests
  end

  def test_a_cycle_of_pages_ends_the_iteration
    itself = nil
    itself = api { FakeApi.page([1], 1, 2, "#{itself.base_url}/beats?page=1") }
    assert_equal 1, client(itself).beats.list(page: 1).count
    circle = nil
    circle = api { |request| FakeApi.page([1], 1, 2, "#{circle.base_url}/beats?page=#{request.target.end_with?("2") ? 1 : 2}") }
    assert_equal 2, client(circle).beats.list(page: 1).count
    assert_equal [1, 2], [itself, circle].map { |api| api.requests.size }
  end

  def test_the_same_enumerator_resumes_after_a_failure
    down = FakeApi.error(500, "server_error")
    api = five_pages(3 => down, 4 => down)
    walk = client(api, max_retries: 0).beats.list(limit: 2).each
    ids = []
    failures = 0
    begin
      loop { ids << walk.next.id }
    rescue BeatMarket::ServerError
      failures += 1
      retry
    end
    assert_equal [(1..10).to_a, 2, 7], [ids, failures, api.requests.size]
  end

  def test_next_page_can_be_called_again_after_a_failure
    api = five_pages(2 => FakeApi.error(500, "server_error"))
    page = client(api, max_retries: 0).beats.list.first_page
    assert_raises(BeatMarket::ServerError) { page.next_page }
    assert_equal [3, 4], page.next_page.map(&:id)
  end

  def test_an_enumerator_without_failure_restarts
    walk = client(five_pages).beats.list(limit: 2).each
    assert_equal [1, 2, 3], walk.first(3).map(&:id)
    assert_equal [1, 1], [walk.next, walk.tap(&:rewind).next].map(&:id)
    assert_equal 10, walk.to_a.size
    assert_raises(RuntimeError) { walk.each { raise "the caller's own" } }
    assert_equal 10, walk.count
  end

  def test_a_search_yields_the_beats_of_a_page_then_its_producers
    api = api do
      FakeApi.reply({ beats: [{ id: 1 }], producers: [{ id: 2 }], pagination: { total: 2, next_page_url: nil },
                      totals: { beats: 1, producers: 1 }, interpreted: { q: "x", bpm_min: 140 } })
    end
    found = client(api).search("x")
    assert_equal [BeatMarket::Beat, BeatMarket::Producer], found.map(&:class)
    assert_equal [[1], [2], 2], [found.beats.map(&:id), found.producers.map(&:id), found.total]
    assert_equal [1, 140, nil, nil], [found.totals.producers, found.interpreted.bpm_min, found.interpreted.key, found.facets]
  end

  def test_a_collection_behaves_like_a_list
    api = api { FakeApi.reply({ genres: [{ id: 1, name: "A" }, { id: 2, name: "B" }] }) }
    genres = client(api).genres.list
    assert_equal [2, 2, false, 1, "B", %w[A B], 2],
                 [genres.size, genres.length, genres.empty?, genres[0].id, genres[-1].name, genres.map(&:name), genres.each.size]
    assert_predicate genres.data, :frozen?
  end
end
