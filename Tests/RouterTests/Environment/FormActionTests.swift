import Router
import RouterTesting
import Testing

struct FormActionTests {
  struct Order: Codable, Hashable {
    var name = ""
    var count = 0
    var id = 9
  }

  struct OrderEditor: Sheet {
    var draft: Order
    var title: String { "Order" }

    var form: Form<Order>? {
      Form(draft) {
        TextField("Name", \.name, length: 1...40)
        NumberField("Count", \.count, in: 1...99)
      }
    }
  }

  @Test func `a sheet asks with its form, and a test answers in the answer's type`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter()
      async let asked = ShowAction()(OrderEditor(draft: Order()))
      try await presenter.next(OrderEditor.self).answer(Order(name: "Ada", count: 3))
      #expect(try await asked == Order(name: "Ada", count: 3, id: 9))
    }
  }
}
