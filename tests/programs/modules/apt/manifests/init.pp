class apt { }
