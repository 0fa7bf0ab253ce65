/// A page of a list, and the cursor of the next one.
package struct Page<Element: PageElement>: Sendable {
  package var elements: [Element]
  /// `nil` on the last page.
  package var next: String?

  package init(_ elements: [Element], next: String?) { (self.elements, self.next) = (elements, next) }
}

package protocol PageElement: Record, Sendable {
  /// The name of the elements in the page.
  static var pluralName: StaticString { get }
}

extension Page: Record {
  package static var schemaName: String { Element.schemaName + "Page" }
  package static var ignoresUnknown: Bool { true }

  package init(_ f: inout Fields<Self>) throws(JSONError) {
    elements = try f(Element.pluralName, ifAbsent: [], \.elements)
    next = try f(orNull: "next", \.next, "The cursor of the next page; null on the last.")
  }
}

extension Presentation: PageElement {
  package static var pluralName: StaticString { "presentations" }
}

extension AuditEvent: PageElement {
  package static var pluralName: StaticString { "events" }
}
