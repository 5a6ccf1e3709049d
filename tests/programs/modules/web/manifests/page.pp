define web::page {
  notice($title)
}
