extension String {
  /// Decodes UTF-8, and shows every byte that is not a part of it, such as `\xff`.
  package init(showing bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self = text
      return
    }
    self.init()
    var parser = UTF8.ForwardParser()
    var source = bytes.makeIterator()
    var position = bytes.startIndex
    while true {
      switch parser.parseScalar(from: &source) {
      case .valid(let scalar):
        unicodeScalars.append(UTF8.decode(scalar))
        bytes.formIndex(&position, offsetBy: scalar.count)
      case .error(let length):
        for _ in 0..<length {
          self += #"\x"# + [bytes[position]].hexadecimal
          bytes.formIndex(after: &position)
        }
      case .emptyInput: return
      }
    }
  }
}
